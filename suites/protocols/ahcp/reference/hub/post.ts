import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";

export interface Posting {
  url: URL;
  /** Path and query exactly as submitted. */
  path: string;
  /** The only address to connect to. */
  address: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  timeoutMs: number;
  signal: AbortSignal;
}

/** Sends a POST request. Returns the status and location of the answer without reading its body or following redirects. */
export function post({ url, path, address, headers, body, timeoutMs, signal }: Posting): Promise<{
  status: number;
  location: string | undefined;
}> {
  // The address was already looked up and checked. A second lookup could return a different one.
  const pinAddress: LookupFunction = (_name, { all }, callback) => {
    const family = isIP(address);
    if (all === true) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };
  return new Promise((resolve, reject) => {
    const send = url.protocol === "https:" ? httpsRequest : httpRequest;
    const request = send(
      {
        method: "POST",
        host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
        port: url.port,
        path,
        headers: { ...headers, "content-length": Buffer.byteLength(body) },
        lookup: pinAddress,
        agent: false,
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      },
      (answer) => {
        resolve({ status: answer.statusCode ?? 0, location: answer.headers.location });
        answer.destroy();
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}
