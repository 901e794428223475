import { createInterface } from "node:readline";
import { claims, judgeByPeer, name } from "./peer.fixture.ts";

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === "") continue;
  const { command, seq, document, data, text, base64 } = JSON.parse(line);
  if (command === "hello") console.log(JSON.stringify({ ready: true, name, claims }));
  else if (command === "check") {
    const content = base64 === undefined ? (text ?? JSON.stringify(data)) : Buffer.from(base64, "base64");
    console.log(JSON.stringify({ seq, ...(await judgeByPeer(document, content)) }));
  } else break;
}
