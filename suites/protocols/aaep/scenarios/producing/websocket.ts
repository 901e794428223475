import type { Connection } from "../../../../running/scenarios/way/websocket-server.ts";
import type { Desk, Outlet } from "./outlet.ts";

/** The milliseconds after which a subscriber gets events without a request, if it need not send one. */
const grace = 500;

/** Speaks over a WebSocket, as in Appendix B.2: one message per text frame, beginning with the request. Returns a function that stops the wait for a request. */
export function speakOn(connection: Connection, desk: Desk, mustAsk: boolean): () => void {
  const outlet: Outlet = {
    write: (text) => connection.send(text),
    cut: () => connection.cut(),
    end: () => connection.close(4000),
  };
  let isOpen = false;
  const open = (): void => {
    if (!isOpen) desk.opened(outlet);
    isOpen = true;
  };
  const timer = mustAsk ? undefined : setTimeout(open, grace);
  connection.onText((text) => {
    const answer = desk.take(text);
    if (answer === undefined || answer === "refused") return;
    const accepted = JSON.stringify(answer);
    desk.answered(accepted);
    connection.send(accepted);
    open();
  });
  connection.onClose(() => {
    clearTimeout(timer);
    desk.left(outlet);
  });
  return () => clearTimeout(timer);
}
