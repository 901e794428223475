import type { Response } from "../../base/http/send.ts";

/** Returns the data of the last server-sent event of an answer; undefined for any other answer, and if no event has data. */
export function lastEvent({ headers, body }: Response): string | undefined {
  if (!/^text\/event-stream\b/i.test(headers["content-type"] ?? "")) return undefined;
  const events = body.split(/(?:\r\n|\r|\n){2}/).map((event) =>
    event
      .split(/\r\n|\r|\n/)
      .flatMap((line) => (/^data(:|$)/.test(line) ? [line.replace(/^data(: ?|$)/, "")] : []))
      .join("\n"),
  );
  return events.findLast((data) => data !== "");
}
