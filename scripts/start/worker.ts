import { type Part, ran } from "./part.ts";

// A process beside the one that shows the results: it runs what it is sent, one after the other.
process.on("message", (part: Part) => {
  void ran(part).then(
    (report) => process.send?.({ report }),
    (error: unknown) => process.send?.({ error: error instanceof Error ? error.message : String(error) }),
  );
});
