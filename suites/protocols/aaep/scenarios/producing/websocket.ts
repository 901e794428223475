import type { Connection } from "../../../../running/scenarios/way/websocket-server.ts";
import type { ConnectionHandler, Outlet } from "./connection-handler.ts";

/** The milliseconds after which a subscriber that need not send a request receives events without one. */
const requestGraceMs = 500;

/** Serves a WebSocket as in Appendix B.2, with one message in each text frame. Returns a function that stops the wait for a request. */
export function serveConnection(connection: Connection, handler: ConnectionHandler, needsRequest: boolean): () => void {
  const outlet: Outlet = {
    write: (text) => connection.send(text),
    cut: () => connection.cut(),
    end: () => connection.close(4000),
  };
  let isOpen = false;
  const openOutlet = (): void => {
    if (!isOpen) handler.onOpen(outlet);
    isOpen = true;
  };
  const timer = needsRequest ? undefined : setTimeout(openOutlet, requestGraceMs);
  connection.onText((text) => {
    const answer = handler.handleMessage(text);
    if (answer === undefined || answer === "refused") return;
    const acceptanceText = JSON.stringify(answer);
    handler.onAnswer(acceptanceText);
    connection.send(acceptanceText);
    openOutlet();
  });
  connection.onClose(() => {
    clearTimeout(timer);
    handler.onEnd(outlet);
  });
  return () => clearTimeout(timer);
}
