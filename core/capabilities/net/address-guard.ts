import { BlockList, isIP } from "node:net";

/** Addresses that are nobody's on the public network: this machine, private networks, link-local, shared, reserved, and what maps to them. */
const refused: readonly (readonly [address: string, prefix: number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
  // Of the others only 2000::/3 is public; these parts of it carry other addresses inside, or are for documents.
  ["::", 3],
  ["4000::", 2],
  ["8000::", 1],
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

/** Made with the first request, not with every start. */
let refusing: Record<"ipv4" | "ipv6", BlockList> | undefined;

/** Whether an address is public. What is no address is not. */
export function isPublicAddress(address: string): boolean {
  const plain = mappedIpv4(address) ?? address;
  const family = familyOf(plain);
  if (family === undefined) return false;
  refusing ??= { ipv4: refusedOf("ipv4"), ipv6: refusedOf("ipv6") };
  return !refusing[family].check(plain, family);
}

/**
 * Whether the user allows this address though it is not public: `localhost`, `localhost:8080`, `10.0.0.0/8`, `fd00::/8`.
 * @param host As the URL names it, without brackets.
 */
export function isAllowedPrivate(allowed: readonly string[], host: string, port: number, address: string): boolean {
  return allowed.some((entry) => {
    const network = /^(.+)\/(\d+)$/.exec(entry);
    if (network !== null) return inNetwork(address, network[1]!, Number(network[2]));
    const bare = entry.toLowerCase().replace(/^\[(.*)\]/, "$1");
    return bare === host || bare === `${host}:${port}`;
  });
}

function inNetwork(address: string, network: string, prefix: number): boolean {
  const [family, netFamily] = [familyOf(address), familyOf(network)];
  if (family === undefined || family !== netFamily || prefix > (family === "ipv4" ? 32 : 128)) return false;
  return blockList([[network, prefix]]).check(address, family);
}

/** Apart, since a list compares an IPv4 address with its IPv6 networks too. */
function refusedOf(family: "ipv4" | "ipv6"): BlockList {
  return blockList(refused.filter(([address]) => familyOf(address) === family));
}

function blockList(networks: readonly (readonly [string, number])[]): BlockList {
  const made = new BlockList();
  for (const [address, prefix] of networks) made.addSubnet(address, prefix, familyOf(address) ?? "ipv4");
  return made;
}

function mappedIpv4(address: string): string | undefined {
  const dotted = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (dotted !== undefined) return dotted;
  const hex = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(address);
  if (hex === null) return undefined;
  const [high, low] = [Number.parseInt(hex[1]!, 16), Number.parseInt(hex[2]!, 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

function familyOf(address: string): "ipv4" | "ipv6" | undefined {
  const version = isIP(address);
  return version === 0 ? undefined : version === 4 ? "ipv4" : "ipv6";
}
