/** Refuses every request as cheaply as Node's own server can, and prints its port: what refusals cost at the least. */
import { createServer } from 'node:http';

const body = JSON.stringify({ status: 503, detail: 'x'.repeat(400) });
const headers = {
  'Content-Type': 'application/problem+json; charset=utf-8',
  'Content-Length': body.length,
  'Retry-After': '1',
};
const server = createServer((request, response) => response.writeHead(503, headers).end(body));
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
