// A collector of traces in a process of its own, which keeps nothing: it prints its port, and for each line that it reads how
// many spans came.
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const SPAN = Buffer.from('"spanId"');
let spans = 0;
const server = createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const body = Buffer.concat(parts);
    for (let at = body.indexOf(SPAN); at >= 0; at = body.indexOf(SPAN, at + 1)) spans++;
    response.setHeader('content-type', 'application/json').end('{}');
  });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
createInterface({ input: process.stdin }).on('line', () => console.log(spans));
