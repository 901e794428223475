const options = ["--anew", "--check", "--major", "--minor", "--resume", "--sample"];

/** The protocols that a command line names. Without any it announces the work; an unknown word ends the process with 2. */
export function parseProtocols(words: readonly string[], protocolNames: readonly string[]): string[] {
  const unknownWord = words.find((word) => !(word.startsWith("-") ? options : protocolNames).includes(word));
  if (unknownWord !== undefined) {
    console.error(
      unknownWord.startsWith("-")
        ? `${unknownWord} is not an option: expected one of ${options.join(", ")}`
        : `${unknownWord} is not a protocol: expected some of ${protocolNames.join(", ")}, or none for all`,
    );
    process.exit(2);
  }
  const protocols = words.filter((word) => !word.startsWith("-"));
  if (protocols.length === 0)
    console.log(
      `no protocol is named: all ${protocolNames.length} ${words.includes("--check") ? "are checked" : "are regenerated"} (${protocolNames.join(", ")})`,
    );
  return protocols;
}
