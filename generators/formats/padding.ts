/** The limits of RFC 5321 and RFC 1035: octets of a local part, and of a label. */
const longestLocal = 64;
const longestLabel = 63;

/** Pads a string of a format to this length, so that every reader still accepts it. */
export function padFormat(format: string, value: string, length: number): string {
  const missing = length - value.length;
  if (missing <= 0) return value;
  if (format === "date-time" || format === "time") return withFraction(value, missing);
  if (format === "duration") return value.replace(/[0-9]/, (digit) => "1".repeat(missing) + digit);
  if (format === "hostname" || format === "idn-hostname") return padHost(value, length);
  if (format !== "email" && format !== "idn-email") return `${value}${"a".repeat(missing)}`;
  const index = value.lastIndexOf("@");
  const added = Math.min(missing, Math.max(0, longestLocal - Buffer.byteLength(value.slice(0, index))));
  const local = `${"a".repeat(added)}${value.slice(0, index)}`;
  return `${local}@${padHost(value.slice(index + 1), length - local.length - 1)}`;
}

/** Adds digits after the second of a time, because RFC 3339 allows any number. */
function withFraction(value: string, missing: number): string {
  return value.replace(/[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?/, (time, fraction) =>
    fraction === undefined ? `${time}.${"0".repeat(missing - 1)}` : time + "0".repeat(missing),
  );
}

/** Adds labels before a host. */
function padHost(value: string, length: number): string {
  let text = value;
  while (text.length < length) {
    const missing = length - text.length;
    // A label with its point needs at least two characters.
    const longest = missing - 1 === longestLabel + 1 ? longestLabel - 1 : longestLabel;
    text = missing === 1 ? `a${text}` : `${"a".repeat(Math.min(missing - 1, longest))}.${text}`;
  }
  return text;
}
