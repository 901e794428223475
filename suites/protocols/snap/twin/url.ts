/** The scheme, authority, path, query and fragment of a URI (RFC 3986, appendix B). */
const uriParts = /^([A-Za-z][A-Za-z0-9+.-]*):(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;
/** The user information, host and port of an authority. */
const authorityParts = /^(?:([^@]*)@)?(\[[^\]]*\]|[^:@[\]]*)(?::([0-9]*))?$/;
const hostedScheme = /^(https?|wss?|ftp)$/i;

/** Whether a string is an absolute URI by RFC 3986. `withHost`: schemes such as https also need a host and a valid port. */
export function isUri(text: string, withHost: boolean): boolean {
  if (!/^[\x21-\x7e]*$/.test(text) || /["<>\\^`{|}]/.test(text) || /%(?![0-9A-Fa-f]{2})/.test(text)) return false;
  const [wholeUri, scheme = "", authority, path = "", query = "", fragment = ""] = uriParts.exec(text) ?? [];
  if (wholeUri === undefined || /[[\]#]/.test(path + query + fragment)) return false;
  if (authority === undefined) return !path.startsWith("//") && !(withHost && hostedScheme.test(scheme));
  const [wholeAuthority, , host = "", port = ""] = authorityParts.exec(authority) ?? [];
  if (wholeAuthority === undefined || (path !== "" && !path.startsWith("/"))) return false;
  if (host.startsWith("[") && !isIpLiteral(host.slice(1, -1))) return false;
  return !withHost || ((host !== "" || !hostedScheme.test(scheme)) && Number(port) <= 65535);
}

function isIpLiteral(text: string): boolean {
  if (/^v[0-9A-Fa-f]+\.[A-Za-z0-9\-._~!$&'()*+,;=:]+$/i.test(text)) return true;
  const halves = text.split("::");
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  let count = 0;
  for (const [index, group] of groups.entries()) {
    if (/^[0-9A-Fa-f]{1,4}$/.test(group)) count += 1;
    else if (index === groups.length - 1 && isIpv4(group)) count += 2;
    else return false;
  }
  return halves.length === 2 ? count <= 7 : halves.length === 1 && count === 8;
}

function isIpv4(text: string): boolean {
  return /^((25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])(\.(?!$)|$)){4}$/.test(text) && text.split(".").length === 4;
}

/** Whether a URL addresses this machine or a private network. `byName`: any host name counts as private. */
export function isPrivate(url: string, byName: boolean): boolean {
  let host: string;
  try {
    host = new URL(url).hostname;
  } catch {
    return false;
  }
  if (byName && !/^[0-9.]+$|^\[/.test(host)) return true;
  return (
    /^(localhost|127\..*|10\..*|192\.168\..*|172\.(1[6-9]|2[0-9]|3[01])\..*|\[::1\]|\[f[cd].*\])$/.test(host) ||
    /\.(local|localhost|internal|home\.arpa)$/.test(host)
  );
}
