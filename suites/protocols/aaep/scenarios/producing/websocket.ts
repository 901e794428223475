import type { Connection } from "../../../../running/scenarios/way/websocket-server.ts";
import type { Desk, Outlet } from "./outlet.ts";

/** Milliseconds after which a subscriber that need not request a subscription, and has not, gets events. */
const grace = 500;

/** Speaks over a WebSocket, as in Appendix B.2: a message a text frame, the request first. Returns a function that ends the waiting for a request. */
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
