import { behindDashes, copyOut } from "./inside.ts";
import { looks } from "./kinds.ts";
import type { Program } from "./program.ts";

const talks: Program = { does: "network", operands: "" };
const changes: Program = { does: "writes", operands: "" };

/** Commands of clusters that look. */
const kubectlLooks = Object.fromEntries(
  "get describe logs top explain api-resources api-versions version cluster-info diff events auth"
    .split(" ")
    .map((name): [string, Program] => [
      name,
      { does: "network", options: "-o,--output: -n,--namespace: -f,--filename:r -l,--selector: -w,--watch -A,--all-namespaces", operands: "" },
    ]),
);
const kubectl: Program = {
  does: "unknown",
  everywhere: true,
  options:
    "-n,--namespace: -s,--server: --context: --cluster: --user: --kubeconfig:a --as: --as-group: --token: --request-timeout: --cache-dir:w --certificate-authority:r --client-certificate:r --client-key:r --insecure-skip-tls-verify --tls-server-name: -v: --profile: --profile-output:w --help@n",
  subcommands: {
    ...kubectlLooks,
    exec: {
      does: "runs",
      runner: true,
      options: "-c,--container: -i,--stdin -t,--tty -q,--quiet -f,--filename:r --pod-running-timeout:",
      special: behindDashes,
    },
    debug: { does: "runs", runner: true, special: behindDashes },
    run: { does: "runs", runner: true, special: behindDashes },
    cp: { does: "writes", operands: "", special: copyOut },
    config: {
      does: "writes",
      subcommands: {
        view: looks,
        "current-context": looks,
        "get-contexts": looks,
        "get-clusters": looks,
        "use-context": changes,
        "set-context": changes,
        "set-credentials": { does: "writes", special: (_call, found) => found.force("what kubectl is told to run") },
      },
    },
    edit: { does: "runs", special: (_call, found) => found.force("the editor that kubectl runs") },
    apply: { does: "network", options: "-f,--filename:r -k,--kustomize:r --dry-run: -R --prune --force --server-side", operands: "" },
    delete: { does: "network", operands: "", exact: true },
    kustomize: {
      does: "reads",
      options: "-o,--output:w --enable-alpha-plugins@a --enable-exec@a --enable-helm --helm-command:p --load-restrictor:",
      operands: "r*",
    },
    plugin: { does: "unknown" },
  },
};

/** Clusters of containers. */
export const clusters: Readonly<Record<string, Program>> = {
  helm: {
    does: "unknown",
    everywhere: true,
    options:
      "-n,--namespace: --kube-context: --kubeconfig:a --post-renderer:p --post-renderer-args: --registry-config:r --repository-config:r -f,--values:r --set: --debug",
    subcommands: {
      list: talks,
      ls: talks,
      status: talks,
      get: talks,
      history: talks,
      show: talks,
      search: talks,
      version: looks,
      env: looks,
      lint: looks,
      template: { does: "reads", options: "--output-dir:w", operands: "" },
      install: talks,
      upgrade: talks,
      uninstall: talks,
      rollback: talks,
      repo: talks,
      dependency: talks,
      pull: { does: "network", options: "-d,--destination:w --untar --untardir:w", operands: "" },
      push: talks,
      plugin: { does: "runs", special: (_call, found) => found.force("what helm is told to run") },
    },
  },
  kubectl,
  oc: kubectl,
  k3s: { does: "unknown", subcommands: { kubectl } },
};
