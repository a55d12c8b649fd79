/** As many as are ever asked at once. */
const MOST_CONNECTIONS = 10;
/** The limit while there is little to ask: to open another one takes longer than to wait for one of these. */
const FIRST_CONNECTIONS = 2;

/** How many connections may be open while so many requests wait for one: no more than pay. */
export function mostConnections(waiting: number): number {
  return waiting < FIRST_CONNECTIONS ? FIRST_CONNECTIONS : MOST_CONNECTIONS;
}
