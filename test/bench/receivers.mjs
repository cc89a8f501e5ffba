// Receivers of webhooks in a process of their own, `node receivers.mjs COUNT`, which answer at once: it prints their ports,
// and for each line that it reads how many requests came.
import { createServer } from 'node:https';
import { createInterface } from 'node:readline';

let came = 0;
const tls = { key: process.env['TLS_KEY'], cert: process.env['TLS_CERT'] };
const answer = (request, response) => {
  request.resume().on('end', () => {
    came++;
    response.end();
  });
};
const ports = await Promise.all(
  Array.from(
    { length: Number(process.argv[2]) },
    () =>
      new Promise((resolve) => {
        const server = createServer(tls, answer);
        server.listen(0, '127.0.0.1', () => resolve(server.address().port));
      }),
  ),
);
console.log(JSON.stringify(ports));
createInterface({ input: process.stdin }).on('line', () => console.log(came));
