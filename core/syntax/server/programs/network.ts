import { literal, onlyValue, type Word, wordFrom } from "../word.ts";
import { type Call, takesApart } from "./call.ts";
import { roles } from "./judge.ts";
import type { Findings, Program } from "./program.ts";
import { runOrText } from "./wrapping.ts";

const net = (options: string, more: Partial<Program> = {}): Program => ({ does: "network", options, ...more });
const sshOptions = "-46AaCfGgKkMNnqsTtVvXxYy -B: -b: -c: -D: -E:w -e: -F:a -I:a -i:r -J: -L: -l: -m: -O: -o: -P: -p: -Q: -R: -S: -W: -w:";

const curl: Program = net(
  "--progress-bar -0,--http1.0 -1,--tlsv1 -2,--sslv2 -3,--sslv3 -4,--ipv4 -6,--ipv6 -A,--user-agent: -a,--append -B,--use-ascii -b,--cookie: -C,--continue-at: -c,--cookie-jar:w -D,--dump-header:w -d,--data: -E,--cert:r -e,--referer: -F,--form: -f,--fail -G,--get -g,--globoff -H,--header: -h,--help@n -I,--head -i,--include -J,--remote-header-name -j,--junk-session-cookies -K,--config:a -k,--insecure -L,--location -l,--list-only -M,--manual@n -m,--max-time: -N,--no-buffer -n,--netrc -O,--remote-name -o,--output:w -P,--ftp-port: -p,--proxytunnel -Q,--quote: -q,--disable -R,--remote-time -r,--range: -S,--show-error -s,--silent -T,--upload-file:r -t,--telnet-option: -U,--proxy-user: -u,--user: -V,--version@n -v,--verbose -W -w,--write-out: -X,--request: -x,--proxy: -Y,--speed-limit: -y,--speed-time: -Z,--parallel -z,--time-cond: " +
    "--url:u --json: --data-ascii: --data-binary: --data-raw: --data-urlencode: --url-query: --form-string: --variable: --expand-url: --expand-data: --expand-output:w --output-dir: --create-dirs --create-file-mode: --remove-on-error --remote-name-all --no-clobber --skip-existing --trace:w --trace-ascii:w --trace-config: --trace-ids --trace-time --stderr:w --libcurl:w --hsts:w --alt-svc:w --etag-save:w --etag-compare:r --netrc-file:r --netrc-optional --cacert:r --capath:r --key:r --cert-type: --key-type: --pass: --pubkey:r --proxy-cacert:r --proxy-cert:r --proxy-key:r --crlfile:r --engine:a --egd-file:r --random-file:r --unix-socket:r --abstract-unix-socket: --connect-timeout: --connect-to: --resolve: --retry: --retry-delay: --retry-max-time: --retry-all-errors --retry-connrefused --max-redirs: --max-filesize: --limit-rate: --interface: --local-port: --dns-servers: --doh-url: --noproxy: --preproxy: --socks4: --socks4a: --socks5: --socks5-hostname: --ciphers: --tls-max: --tls13-ciphers: --curves: --proto: --proto-default: --proto-redir: --compressed --compressed-ssh --fail-with-body --fail-early --path-as-is --post301 --post302 --post303 --location-trusted --anyauth --basic --digest --ntlm --negotiate --oauth2-bearer: --aws-sigv4: --http1.1 --http2 --http2-prior-knowledge --http3 --http3-only --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3 --ssl --ssl-reqd --styled-output --no-progress-meter --keepalive-time: --raw --tcp-nodelay --tcp-fastopen --xattr --mail-from: --mail-rcpt: --mail-auth: --login-options: --service-name: --krb: --delegation: --rate: --parallel-max: --parallel-immediate --happy-eyeballs-timeout-ms: --expect100-timeout: --ip-tos: --vlan-priority: --haproxy-protocol --haproxy-clientip: --disallow-username-in-url --suppress-connect-headers --request-target: --ftp-pasv --ftp-create-dirs --ftp-method: --ftp-account: --ftp-alternative-to-user: --hostpubmd5: --hostpubsha256: --sasl-ir --sasl-authzid: --false-start --cert-status --doh-insecure --no-alpn --no-npn --no-keepalive --no-sessionid --test-event",
  { exact: true, special: openCurl },
);

/** Programs that talk to other machines. */
export const network: Readonly<Record<string, Program>> = {
  aria2c: net(
    "-o,--out:w -d,--dir:w -i,--input-file:r --conf-path:a --on-download-complete:x --on-download-start:x --on-download-stop:x --on-download-error:x --on-bt-download-complete:x -l,--log:w --save-session:w --load-cookies:r --save-cookies:w -s,--split: -x,--max-connection-per-server: -j: -c,--continue -q,--quiet",
    { operands: "u*", exact: true },
  ),
  curl,
  dig: net("-46bcfkmpqtuvxy", { does: "network" }),
  ftp: net("", { runner: true }),
  gsutil: net(""),
  host: net(""),
  http: net(
    "-o,--output:w -d,--download --session: --session-read-only: --cert:r --cert-key:r -a: -A: -b -h -v -p: -f -j --form --json --verify: --timeout: --follow -F -I --ignore-stdin --pretty: -S --stream",
    { exact: true, special: httpie },
  ),
  https: net("-o,--output:w -d,--download --session: --cert:r -a: -A: -b -h -v -p: -f -j", { exact: true, special: httpie }),
  lftp: net("-f:a -c:a -e:a -u: -p:", { runner: true }),
  mosh: net("--ssh:x --server:a --client:p -p,--port: -a -n -4 -6 --predict: --family: --bind-server: --no-init --local --no-ssh-pty", {
    runner: true,
    stops: true,
    operands: "_",
    special: ({ rest }, found) => {
      const words = onlyValue(rest[0]) === "--" ? rest.slice(1) : rest;
      if (words.length > 0) found.command(words, { elsewhere: true });
    },
  }),
  nc: net("-46bCDdFhklNnrStUuvZz -c:x -e:x -g: -G: -i: -I: -m: -M: -O: -o:w -P: -p: -q: -s: -T: -V: -w: -W: -X: -x:", { exact: true }),
  ncat: net(
    "-46Cklmntuvz -c,--sh-exec:x -e,--exec:p --lua-exec:a -o,--output:w -x,--hex-dump:w -i: -p: -s: -w: --proxy: --ssl --ssl-cert:r --ssl-key:r --append-output",
    { exact: true },
  ),
  netcat: net("-46bCDdFhklNnrStUuvZz -c:x -e:x -g: -G: -i: -I: -m: -M: -O: -o:w -P: -p: -q: -s: -T: -V: -w: -W: -X: -x:", { exact: true }),
  nslookup: net(""),
  ping: net("-46aAbBCdDfhLnOqrRUvV -c: -e: -F: -i: -I: -l: -m: -M: -N: -p: -Q: -s: -S: -t: -T: -w: -W:"),
  rclone: net("--config:a --password-command:x --log-file:w --backup-dir:w --files-from:r --include-from:r --exclude-from:r --filter-from:r", {
    exact: true,
  }),
  rsync: net(
    "-0468aAbBcCdDEFgGhHiIJkKlLmnNoOpPqrRsStuUvVwWxXyzS -e,--rsh:p -f,--filter: -M,--remote-option:a -T,--temp-dir:w -B: --rsync-path:x --log-file:w --write-batch:w --only-write-batch:w --read-batch:r --files-from:r --include-from:r --exclude-from:r --password-file:r --early-input:r --backup-dir:w --partial-dir: --compare-dest:r --copy-dest:r --link-dest:r --config:a --daemon@a --dparam:a --include: --exclude: --chmod: --chown: --usermap: --groupmap: --out-format: --log-file-format: --info: --debug: --stderr: --timeout: --contimeout: --port: --sockopts: --bwlimit: --max-size: --min-size: --max-delete: --modify-window: --block-size: --suffix: --skip-compress: --compress-level: --compress-choice: --checksum-choice: --checksum-seed: --iconv: --protocol: --address: --outbuf: --stop-after: --stop-at: --super --archive --verbose --quiet --recursive --delete --delete-before --delete-during --delete-after --delete-excluded --force --dry-run --progress --partial --stats --links --perms --times --owner --group --devices --specials --hard-links --update --inplace --append --existing --ignore-existing --remove-source-files --human-readable --itemize-changes --compress --list-only --numeric-ids --one-file-system --relative --mkpath --backup --whole-file --checksum --size-only --ignore-times --prune-empty-dirs --cvs-exclude --help@n --version@n",
    { does: "writes", exact: true, special: remoteCopy },
  ),
  scp: net("-346ABCOpqRrsTv -c: -D:p -F:a -i:r -J: -l: -o: -P: -S:p -X:", { does: "writes", exact: true, special: remoteCopy }),
  sftp: net("-46AaCfNpqrv -B: -b:a -c: -D:x -F:a -i:r -J: -l: -o: -P: -R: -S:p -s: -X:", {
    runner: true,
    special: (call, found) => sshSettings(call, found),
  }),
  socat: net("", { exact: true, special: socat }),
  ssh: net(sshOptions, { does: "runs", runner: true, stops: true, operands: "_", special: openSsh }),
  "ssh-copy-id": net("-f -n -s -i:r -p: -o: -F:a", { exact: true, special: sshSettings }),
  "ssh-keygen": {
    does: "unknown",
    options:
      "-f: -D:a -I: -w:a -Q -l -y -B -R: -F: -t: -b: -C: -N: -P: -q -m: -e -i -p -c -H -A -a: -O: -s: -V: -Y: -n: -Z: -z: -v -h -K -k -u -U -L -M: -r: -W: -E: -g",
    exact: true,
    special: ({ options }, found) => {
      const file = options.find(({ option }) => option.name === "-f")?.value;
      const looks = options.some(({ option }) => /^-[lyBFLQe]$/.test(option.name));
      if (file !== undefined) found.file(looks ? "read" : "write", file);
    },
  },
  telnet: net(""),
  traceroute: net(""),
  wget: net(
    "-46bcdEFhHkKLmnNpqrSvVx -a,--append-output:w -A,--accept: -B,--base: -D,--domains: -e,--execute:a -G: -i,--input-file:r -I: -l,--level: -n: -o,--output-file:w -O,--output-document: -P,--directory-prefix: -Q,--quota: -R,--reject: -t,--tries: -T,--timeout: -U,--user-agent: -w,--wait: -X: --config:a --use-askpass:p --post-file:r --body-file:r --save-cookies:w --load-cookies:r --warc-file:w --warc-tempdir:w --rejected-log:w --hsts-file:w --ca-certificate:r --certificate:r --private-key:r --header: --post-data: --body-data: --method: --user: --password: --http-user: --http-password: --proxy-user: --proxy-password: --referer: --limit-rate: --cut-dirs: --max-redirect: --waitretry: --random-wait --spider --quiet --no-verbose --verbose --continue --timestamping --no-clobber --recursive --mirror --page-requisites --convert-links --no-parent --no-check-certificate --content-disposition --show-progress --server-response --delete-after --background --force-directories --no-directories --no-host-directories --adjust-extension --span-hosts --inet4-only --inet6-only --tries: --ask-password --restrict-file-names: --local-encoding: --remote-encoding: --dns-timeout: --connect-timeout: --read-timeout: --compression: --secure-protocol: --start-pos: --prefer-family: --bind-address: --exclude-directories: --include-directories: --accept-regex: --reject-regex: --regex-type: --help@n --version@n",
    { exact: true, special: openWget },
  ),
  wget2: net("-O,--output-document: -P,--directory-prefix: -o:w -a:w -i:r --config:a -e:a --use-askpass:p -q -c -N -r -p", {
    exact: true,
    special: openWget,
  }),
  whois: net(""),
};

function openCurl({ options, operands: urls }: Call, found: Findings): void {
  const folder = options.find(({ option }) => option.name === "--output-dir")?.value;
  const named = options.some(({ option }) => option.name === "--remote-name" || option.name === "--remote-name-all");
  if (named) found.file("write", folder ?? literal("."));
  else if (folder !== undefined) found.file("write", folder);
  for (const url of urls) found.url(url);
  for (const { option, value } of options) {
    const text = onlyValue(value);
    if (value === undefined) continue;
    if (/^--(?:data|data-ascii|data-binary|data-urlencode|json|cookie|header|expand-data|variable)$/.test(option.name)) {
      const at = /^(?:[^@=]*)@/.exec(text ?? "")?.[0].length;
      if (at !== undefined) found.file("read", wordFrom(value, at));
      else if (option.name === "--cookie" && text !== undefined && !text.includes("=")) found.file("read", value);
    } else if (option.name === "--form") {
      const at = /^[^=]*=[@<]/.exec(text ?? "")?.[0].length;
      if (at !== undefined) found.file("read", { ...wordFrom(value, at), text: (text ?? "").slice(at).split(";", 1)[0]! });
    } else if (option.name === "--write-out" && /%output\{/.test(text ?? "%output{")) {
      const file = /%output\{(?:>>)?([^}]*)\}/.exec(text ?? "")?.[1];
      if (file === undefined) found.unclear(value);
      else found.file("write", literal(file));
    }
  }
}

function openWget({ options, operands: urls }: Call, found: Findings): void {
  const value = (name: string) => options.find(({ option }) => option.name === name)?.value;
  const output = value("--output-document");
  const spider = options.some(({ option }) => option.name === "--spider");
  if (output !== undefined) found.file("write", output);
  else if (!spider) found.file("write", value("--directory-prefix") ?? literal("."));
  for (const url of urls) found.url(url);
}

function httpie({ options, operands: words }: Call, found: Findings): void {
  if (options.some(({ option }) => option.name === "--download") && !options.some(({ option }) => option.name === "--output"))
    found.file("write", literal("."));
  for (const word of words) {
    if (/^https?:|^\w[\w.-]*\.\w+/.test(word.text)) found.url(word);
    const at = /^[^=:@]+(?:@|=@|:=@)/.exec(word.text)?.[0].length;
    if (at !== undefined) found.file("read", wordFrom(word, at));
  }
}

/** Files on other machines are not those here. */
function remoteCopy(call: Call, found: Findings): void {
  sshSettings(call, found);
  const isRemote = (word: Word) => /^(?:[^/]*:|\w+:\/\/)/.test(word.text);
  const local = call.operands
    .map((word, at): [Word, boolean] => [word, at === call.operands.length - 1 && call.operands.length > 1])
    .filter(([word]) => !isRemote(word));
  const deletes = call.options.some(({ option }) => option.name === "--remove-source-files");
  for (const [word, target] of local) found.file(target || deletes ? "write" : "read", word, true);
}

const SAFE_SETTINGS =
  /^(?:addkeystoagent|addressfamily|batchmode|bindaddress|bindinterface|canonicaldomains|canonicalizehostname|certificatefile|checkhostip|ciphers|compression|connectionattempts|connecttimeout|controlmaster|controlpersist|enablesshkeysign|escapechar|exitonforwardfailure|fingerprinthash|forwardagent|forwardx11|gssapiauthentication|hashknownhosts|hostkeyalgorithms|hostkeyalias|hostname|identitiesonly|identityfile|ipqos|kexalgorithms|loglevel|macs|numberofpasswordprompts|passwordauthentication|port|preferredauthentications|pubkeyauthentication|pubkeyacceptedalgorithms|rekeylimit|requesttty|serveralivecountmax|serveraliveinterval|stricthostkeychecking|tcpkeepalive|updatehostkeys|user|userknownhostsfile|globalknownhostsfile|verifyhostkeydns|visualhostkey)$/;
const RUNNING_SETTINGS = /^(?:proxycommand|localcommand|knownhostscommand|match)$/;

/** `-o Key=value`: some keys name a command. */
function sshSettings({ options, path }: Call, found: Findings): void {
  for (const { option, value } of options) {
    if (option.name !== "-o" || value === undefined) continue;
    const lead = onlyValue(value) ?? value.lead ?? "";
    const match = /^\s*(\w+)\s*(?:=|\s)\s*/.exec(lead);
    const key = match?.[1]?.toLowerCase() ?? lead.toLowerCase();
    if (RUNNING_SETTINGS.test(key) && match !== null) {
      if (!/^none$/i.test(lead.slice(match[0].length))) found.text(wordFrom(value, match[0].length), `what ${path[0]} is told by -o`);
    } else if (!SAFE_SETTINGS.test(key)) found.force(`what ${path[0]} is told by -o`);
  }
}

/** Options may follow on the host; what stands behind them is run there, as one text. */
function openSsh(call: Call, found: Findings): void {
  const [host] = call.operands;
  const behind = takesApart({ ...call.program, operands: "" }, call.path, call.rest, call.input);
  roles(behind, found);
  for (const each of [call, behind]) sshSettings(each, found);
  if (host === undefined) return;
  if (behind.rest.length > 0) runOrText(behind.rest, true, "ssh", found, { elsewhere: true });
  else if (call.input !== undefined) found.text(call.input, "text for ssh");
}

function socat({ words }: Call, found: Findings): void {
  for (const word of words) {
    const match = /^(exec|system|shell):/i.exec(word.text);
    if (match !== null)
      found.text(
        wordFrom({ ...word, text: word.text.replace(/,(?:pty|stderr|setsid|sane|raw|ctty|su=).*$/, "") }, match[0].length),
        "what socat is told to run",
      );
    const file = /^(?:open|create|file|gopen):/i.exec(word.text);
    if (file !== null) found.file("write", literal(word.text.slice(file[0].length).split(",", 1)[0]!));
  }
}
