/** Headers that curl sets by itself. */
const automaticHeaders = ["content-length", "host", "connection", "transfer-encoding", "accept-encoding", "user-agent"];

/**
 * A request as a shell command. Secrets are not in the report; the command has a variable in place of each.
 * @param {string} head the request line, and one header on each further line
 * @param {string} body
 */
export function curlOf(head, body) {
  const [first = "", ...headers] = head.split("\n");
  const [method = "", ...url] = first.split(" ");
  const args = [
    "curl",
    "--include",
    // Without this option, curl expands brackets and braces to several addresses.
    ...(/[[\]{}]/.test(url.join(" ")) ? ["--globoff"] : []),
    ...(method === "GET" ? [] : ["--request", quoteWord(method)]),
    quoteWord(url.join(" ")),
  ];
  for (const header of headers) {
    const [name = "", ...value] = header.split(": ");
    if (automaticHeaders.includes(name.toLowerCase())) continue;
    const variable = name.toUpperCase().replace(/[^A-Z0-9]+/g, "_");
    const isSecret = value.join(": ") === "[redacted]" && /^[\w-]+$/.test(name);
    args.push("--header", isSecret ? `"${name}: $${variable}"` : quoteWord(header));
  }
  // With other options, curl reads a body that begins with @ from a file.
  if (body !== "") args.push("--data-raw", quoteWord(body));
  return args.join(" ");
}

/**
 * A word, quoted for a POSIX shell.
 * @param {string} word
 */
export function quoteWord(word) {
  return /^[\w%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
