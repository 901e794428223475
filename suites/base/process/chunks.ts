/** Bytes that arrive in chunks, copied into one buffer: a stored chunk would keep the whole buffer that it is a slice of. */
export interface GatheredChunks {
  readonly size: number;
  add(chunk: Uint8Array): void;
  /** All bytes so far; the result does not change when more arrive. */
  join(): Buffer;
  clear(): void;
}

const minBufferSize = 1024;

/** Gathers chunks in a buffer that is doubled when it is full. A single large chunk is kept as it is, without a copy. */
export function gatherChunks(): GatheredChunks {
  let onlyChunk: Uint8Array | undefined;
  let buffer = Buffer.alloc(0);
  let size = 0;
  const append = (chunk: Uint8Array): void => {
    if (size + chunk.length > buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(minBufferSize, 2 * buffer.length, size + chunk.length));
      buffer.copy(larger, 0, 0, size);
      buffer = larger;
    }
    buffer.set(chunk, size);
    size += chunk.length;
  };
  return {
    get size() {
      return onlyChunk?.length ?? size;
    },
    add(chunk) {
      if (chunk.length === 0) return;
      if (onlyChunk === undefined && size === 0 && chunk.length >= minBufferSize) {
        onlyChunk = chunk;
        return;
      }
      if (onlyChunk !== undefined) {
        const first = onlyChunk;
        onlyChunk = undefined;
        append(first);
      }
      append(chunk);
    },
    join() {
      if (onlyChunk !== undefined) return Buffer.from(onlyChunk.buffer, onlyChunk.byteOffset, onlyChunk.length);
      return Buffer.from(buffer.subarray(0, size));
    },
    clear() {
      onlyChunk = undefined;
      size = 0;
      if (buffer.length > 64 * minBufferSize) buffer = Buffer.alloc(0);
    },
  };
}
