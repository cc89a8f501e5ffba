// A receiver of webhooks in a process of its own: `node receiver-child.mjs PORT FILE DELAY_MS`, with key and certificate in
// the environment. What came stands in the file, a line each, before it is answered; so it outlives SIGKILL.
import { openSync, writeSync } from 'node:fs';
import { createServer } from 'node:https';

const [port, file, delay] = process.argv.slice(2);
const log = openSync(file, 'a');
const server = createServer({ key: process.env['TLS_KEY'], cert: process.env['TLS_CERT'] });
server.on('request', (request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const raw = Buffer.concat(parts).toString('utf8');
    writeSync(log, `${JSON.stringify({ raw, at: Date.now() })}\n`);
    setTimeout(() => response.end('ok'), Number(delay));
  });
});
server.listen(Number(port), '127.0.0.1', () => console.log(server.address().port));
