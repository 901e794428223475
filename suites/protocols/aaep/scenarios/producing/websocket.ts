import type { Connection } from "../../../../running/scenarios/way/websocket-server.ts";
import type { ConnectionHandler, Outlet } from "./connection-handler.ts";

/** The milliseconds after which a subscriber that need not send a request gets events without one. */
const requestGrace = 500;

/** Serves a WebSocket as in Appendix B.2, with one message in each text frame. Returns a function that stops the wait for a request. */
export function serveConnection(connection: Connection, desk: ConnectionHandler, needsRequest: boolean): () => void {
  const outlet: Outlet = {
    write: (text) => connection.send(text),
    cut: () => connection.cut(),
    end: () => connection.close(4000),
  };
  let isOpen = false;
  const open = (): void => {
    if (!isOpen) desk.onOpen(outlet);
    isOpen = true;
  };
  const timer = needsRequest ? undefined : setTimeout(open, requestGrace);
  connection.onText((text) => {
    const answer = desk.handleMessage(text);
    if (answer === undefined || answer === "refused") return;
    const accepted = JSON.stringify(answer);
    desk.onAnswer(accepted);
    connection.send(accepted);
    open();
  });
  connection.onClose(() => {
    clearTimeout(timer);
    desk.onEnd(outlet);
  });
  return () => clearTimeout(timer);
}
