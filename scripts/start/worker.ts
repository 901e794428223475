import { getRequestListener } from "@hono/node-server";
import { type Part, ran } from "./part.ts";

// Answers without the streams that those of Node have: the globals of this process are nobody else's.
getRequestListener(() => new Response());

// A process beside the one that shows the results: it runs what it is sent, one after the other.
process.on("message", (part: Part) => {
  void ran(part).then(
    (report) => process.send?.({ report }),
    (error: unknown) => process.send?.({ error: error instanceof Error ? error.message : String(error) }),
  );
});
