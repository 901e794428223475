import { BlockList, isIP } from "node:net";

/** Ranges outside of the public internet: local networks, reserved addresses, multicast and broadcast (RFC 6890 and its successors). */
const privateRanges = {
  ipv4: blockListOf([
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
  ]),
  // IPv6 ranges that embed IPv4 addresses are listed completely: no callback needs them.
  ipv6: blockListOf([
    "::/96",
    "::ffff:0:0/96",
    "64:ff9b::/96",
    "64:ff9b:1::/48",
    "100::/64",
    "2001::/23",
    "2001:db8::/32",
    "2002::/16",
    "3fff::/20",
    "5f00::/16",
    "fc00::/7",
    "fe80::/10",
    "fec0::/10",
    "ff00::/8",
  ]),
};

const loopbackRanges = { ipv4: blockListOf(["127.0.0.0/8"]), ipv6: blockListOf(["::1/128"]) };

function blockListOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = "", bits] = range.split("/");
    list.addSubnet(network, Number(bits), familyOf(network));
  }
  return list;
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 4 ? "ipv4" : "ipv6";
}

/** Looks only in the list of the address's family: a common list would match IPv4 addresses with IPv6 ranges that embed them. */
function isInRanges(ranges: typeof privateRanges, address: string): boolean {
  return ranges[familyOf(address)].check(address, familyOf(address));
}

/** Whether an address is outside of the public internet. Also true if it is not an IP address. */
export function isPrivateAddress(address: string): boolean {
  return isIP(address) === 0 || isInRanges(privateRanges, address);
}

export function isLoopback(address: string): boolean {
  return isIP(address) !== 0 && isInRanges(loopbackRanges, address);
}
