/** Headers that curl sets by itself. */
const own = ["content-length", "host", "connection", "transfer-encoding", "accept-encoding", "user-agent"];

/**
 * A request as a command for a shell. What is secret was left out of the report: a variable stands for it.
 * @param {string} head the first line, and a header on each of the others
 * @param {string} body
 */
export function curlOf(head, body) {
  const [first = "", ...headers] = head.split("\n");
  const [method = "", ...url] = first.split(" ");
  const words = [
    "curl",
    "--include",
    // Brackets and braces in an address would make several of it.
    ...(/[[\]{}]/.test(url.join(" ")) ? ["--globoff"] : []),
    ...(method === "GET" ? [] : ["--request", quoted(method)]),
    quoted(url.join(" ")),
  ];
  for (const header of headers) {
    const [name = "", ...value] = header.split(": ");
    if (own.includes(name.toLowerCase())) continue;
    const variable = name.toUpperCase().replace(/[^A-Z0-9]+/g, "_");
    const isSecret = value.join(": ") === "[redacted]" && /^[\w-]+$/.test(name);
    words.push("--header", isSecret ? `"${name}: $${variable}"` : quoted(header));
  }
  if (body !== "") words.push("--data-binary", quoted(body));
  return words.join(" ");
}

/**
 * A word as a POSIX shell takes it whole.
 * @param {string} word
 */
export function quoted(word) {
  // A body that begins with @ would name a file.
  return /^[\w%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
