import { Socket } from "node:net";
import { writeAll } from "../../base/process/file-writer.ts";

/** Makes standard output report an incomplete write if it is a file. By default, Node.js treats a partial write as complete. */
export function checkWrites(output: NodeJS.WritableStream & { fd: number }): void {
  if (output instanceof Socket) return;
  const write = (chunk: Uint8Array | string, _encoding: string, done: (error?: Error) => void): void => {
    try {
      writeAll(output.fd, chunk);
      done();
    } catch (error) {
      done(error as Error);
    }
  };
  Object.assign(output, { _write: write });
}
