/**
 * Loads a service over plain sockets, in a process of its own: a client that took as much of the machine as the service
 * would measure itself. Reads {url, key, connections, seconds, perSecond} from the command line; without perSecond each
 * connection sends as soon as it was answered. Prints what came of it, as JSON.
 */
import { connect } from 'node:net';

const { url, key, connections, seconds, perSecond } = JSON.parse(process.argv[2]);
const { hostname, port } = new URL(url);
const body = JSON.stringify({ type: 'note', criteria: { text: 'x'.repeat(300) } });
const request = Buffer.from(
  [
    'POST /v1/records HTTP/1.1',
    `Host: ${hostname}:${port}`,
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n'),
);

const statuses = {};
const latencies = [];
const refusals = [];
let [unsent, withoutRetryAfter, broken, isOver] = [0, 0, 0, false];
const records = [];
const free = [];

const answered = (socket, head, text) => {
  const status = Number(head.slice(9, 12));
  statuses[status] = (statuses[status] ?? 0) + 1;
  const ms = performance.now() - socket.sentAt;
  if (status === 201) {
    latencies.push(ms);
    if (records.length < 200 || Math.random() < 0.02) records.push(/"id":"([^"]+)"/.exec(text)[1]);
  } else {
    refusals.push(ms);
    if (!/\r\nretry-after: \d+/i.test(head)) withoutRetryAfter++;
  }
  if (perSecond || isOver) free.push(socket);
  else send(socket);
};

const send = (socket) => {
  socket.sentAt = performance.now();
  socket.write(request);
};

/** A caller takes a connection for open that waits to be accepted, so each asks once before it counts. */
const open = () =>
  new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let buffer = '';
    let isOpen = false;
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.write(`GET /livez HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`);
    socket.on('data', (part) => {
      buffer += part;
      const end = buffer.indexOf('\r\n\r\n');
      if (end === -1) return;
      const head = buffer.slice(0, end);
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (buffer.length < end + 4 + length) return;
      const text = buffer.slice(end + 4, end + 4 + length);
      buffer = buffer.slice(end + 4 + length);
      if (isOpen) return answered(socket, head, text);
      isOpen = true;
      resolve(socket);
    });
    socket.on('error', () => broken++);
    socket.on('close', () => isOver || broken++);
  });

const sockets = [];
for (let at = 0; at < connections; at += 100)
  sockets.push(
    ...(await Promise.all(Array.from({ length: Math.min(100, connections - at) }, open))),
  );

const begun = performance.now();
if (perSecond) {
  free.push(...sockets);
  let sent = 0;
  await new Promise((resolve) => {
    const timer = setInterval(() => {
      const passed = (performance.now() - begun) / 1000;
      if (passed > seconds) {
        clearInterval(timer);
        return resolve();
      }
      for (const due = Math.floor(passed * perSecond); sent < due; sent++) {
        const socket = free.pop();
        if (socket) send(socket);
        else unsent++;
      }
    }, 2);
  });
} else {
  sockets.forEach(send);
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
const took = (performance.now() - begun) / 1000;
const counted = { ...statuses };
isOver = true;
// What is still on its way is waited for: a service may not forget it.
for (let tries = 0; free.length < connections && tries < 300; tries++)
  await new Promise((resolve) => setTimeout(resolve, 100));

const quantile = (values, q) => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(q * (sorted.length - 1))] ?? 0;
};
process.stdout.write(
  JSON.stringify({
    statuses,
    perSecond: (counted[201] ?? 0) / took,
    offered: Object.values(counted).reduce((sum, count) => sum + count, 0) / took,
    unsent,
    broken,
    withoutRetryAfter,
    unanswered: connections - free.length,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    refusedP99: quantile(refusals, 0.99),
    records,
  }),
);
process.exit(0);
