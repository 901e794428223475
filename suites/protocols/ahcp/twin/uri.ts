const escapedOctet = "%[0-9A-Fa-f]{2}";
const plainCharacters = "A-Za-z0-9\\-._~!$&'()*+,;=";
const sign = `(?:[${plainCharacters}:@]|${escapedOctet})`;
const octet = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const four = `(?:${octet}\\.){3}${octet}`;
const part = "[0-9A-Fa-f]{1,4}";
const lowBits = `(?:${part}:${part}|${four})`;
const six = [
  `(?:${part}:){6}${lowBits}`,
  `::(?:${part}:){5}${lowBits}`,
  `(?:${part})?::(?:${part}:){4}${lowBits}`,
  `(?:(?:${part}:){0,1}${part})?::(?:${part}:){3}${lowBits}`,
  `(?:(?:${part}:){0,2}${part})?::(?:${part}:){2}${lowBits}`,
  `(?:(?:${part}:){0,3}${part})?::${part}:${lowBits}`,
  `(?:(?:${part}:){0,4}${part})?::${lowBits}`,
  `(?:(?:${part}:){0,5}${part})?::${part}`,
  `(?:(?:${part}:){0,6}${part})?::`,
].join("|");
const host = `(?:\\[(?:(?:${six})|[vV][0-9A-Fa-f]+\\.[${plainCharacters}:]+)\\]|(?:[${plainCharacters}]|${escapedOctet})*)`;
const authority = `(?:(?:[${plainCharacters}:]|${escapedOctet})*@)?${host}(?::\\d*)?`;
const path = `(?://${authority}(?:/${sign}*)*|/(?:${sign}+(?:/${sign}*)*)?|${sign}+(?:/${sign}*)*|)`;
const uri = new RegExp(`^[A-Za-z][A-Za-z0-9+.\\-]*:${path}(?:\\?(?:${sign}|[/?])*)?(?:#(?:${sign}|[/?])*)?$`);

/** Whether a text is a URI with a scheme (RFC 3986). */
export function isUri(text: string): boolean {
  return uri.test(text) && !text.includes("\n");
}
