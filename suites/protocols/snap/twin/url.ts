const reference = /^([A-Za-z][A-Za-z0-9+.-]*):(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;
const hostedScheme = /^(https?|wss?|ftp)$/i;

/** Whether a text is an absolute URI by RFC 3986. `withHost`: schemes of servers need a host, and a possible port. */
export function isUri(text: string, withHost: boolean): boolean {
  if (!/^[\x21-\x7e]*$/.test(text) || /["<>\\^`{|}]/.test(text) || /%(?![0-9A-Fa-f]{2})/.test(text)) return false;
  const [whole, scheme = "", authority, path = "", query = "", fragment = ""] = reference.exec(text) ?? [];
  if (whole === undefined || /[[\]#]/.test(path + query + fragment)) return false;
  if (authority === undefined) return !path.startsWith("//") && !(withHost && hostedScheme.test(scheme));
  const [some, , host = "", port = ""] = /^(?:([^@]*)@)?(\[[^\]]*\]|[^:@[\]]*)(?::([0-9]*))?$/.exec(authority) ?? [];
  if (some === undefined || (path !== "" && !path.startsWith("/"))) return false;
  if (host.startsWith("[") && !isLiteral(host.slice(1, -1))) return false;
  return !withHost || ((host !== "" || !hostedScheme.test(scheme)) && Number(port) <= 65535);
}

function isLiteral(text: string): boolean {
  if (/^v[0-9A-Fa-f]+\.[A-Za-z0-9\-._~!$&'()*+,;=:]+$/i.test(text)) return true;
  const halves = text.split("::");
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  let count = 0;
  for (const [index, group] of groups.entries()) {
    if (/^[0-9A-Fa-f]{1,4}$/.test(group)) count += 1;
    else if (index === groups.length - 1 && isDotted(group)) count += 2;
    else return false;
  }
  return halves.length === 2 ? count <= 7 : halves.length === 1 && count === 8;
}

function isDotted(text: string): boolean {
  return /^((25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])(\.(?!$)|$)){4}$/.test(text) && text.split(".").length === 4;
}

/** Whether plain HTTP may address the machine itself or a private network; `byName` accepts any host name instead of an address. */
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
