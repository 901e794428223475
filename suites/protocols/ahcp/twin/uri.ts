// The names and rules are those of the grammar in RFC 3986, appendix A.
const escapedOctet = "%[0-9A-Fa-f]{2}";
const plainCharacters = "A-Za-z0-9\\-._~!$&'()*+,;=";
const pchar = `(?:[${plainCharacters}:@]|${escapedOctet})`;
const octet = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const ipv4 = `(?:${octet}\\.){3}${octet}`;
const h16 = "[0-9A-Fa-f]{1,4}";
const ls32 = `(?:${h16}:${h16}|${ipv4})`;
const ipv6 = [
  `(?:${h16}:){6}${ls32}`,
  `::(?:${h16}:){5}${ls32}`,
  `(?:${h16})?::(?:${h16}:){4}${ls32}`,
  `(?:(?:${h16}:){0,1}${h16})?::(?:${h16}:){3}${ls32}`,
  `(?:(?:${h16}:){0,2}${h16})?::(?:${h16}:){2}${ls32}`,
  `(?:(?:${h16}:){0,3}${h16})?::${h16}:${ls32}`,
  `(?:(?:${h16}:){0,4}${h16})?::${ls32}`,
  `(?:(?:${h16}:){0,5}${h16})?::${h16}`,
  `(?:(?:${h16}:){0,6}${h16})?::`,
].join("|");
const host = `(?:\\[(?:(?:${ipv6})|[vV][0-9A-Fa-f]+\\.[${plainCharacters}:]+)\\]|(?:[${plainCharacters}]|${escapedOctet})*)`;
const authority = `(?:(?:[${plainCharacters}:]|${escapedOctet})*@)?${host}(?::\\d*)?`;
const path = `(?://${authority}(?:/${pchar}*)*|/(?:${pchar}+(?:/${pchar}*)*)?|${pchar}+(?:/${pchar}*)*|)`;
const uri = new RegExp(`^[A-Za-z][A-Za-z0-9+.\\-]*:${path}(?:\\?(?:${pchar}|[/?])*)?(?:#(?:${pchar}|[/?])*)?$`);

/** Whether a string is an absolute URI, with or without a fragment (RFC 3986). */
export function isUri(text: string): boolean {
  return uri.test(text) && !text.includes("\n");
}
