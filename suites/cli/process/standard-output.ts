import { Socket } from "node:net";
import { writeAll } from "../../base/process/file-writer.ts";

/** Makes standard output, where it is a file, say what it could not write: by itself it takes half a text for a whole one. */
export function wholly(output: NodeJS.WritableStream & { fd: number }): void {
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
