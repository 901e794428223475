const options = ["--anew", "--check", "--major", "--minor", "--resume", "--sample"];

/** The protocols that a command line names. Without any it announces the work; an unknown word ends the process with 2. */
export function protocolsAsked(words: readonly string[], known: readonly string[]): string[] {
  const wrong = words.find((word) => !(word.startsWith("-") ? options : known).includes(word));
  if (wrong !== undefined) {
    console.error(
      wrong.startsWith("-")
        ? `${wrong} is not an option: expected one of ${options.join(", ")}`
        : `${wrong} is not a protocol: expected some of ${known.join(", ")}, or none for all`,
    );
    process.exit(2);
  }
  const named = words.filter((word) => !word.startsWith("-"));
  if (named.length === 0)
    console.log(
      `no protocol is named: all ${known.length} ${words.includes("--check") ? "are checked" : "are made again"} (${known.join(", ")})`,
    );
  return named;
}
