import { createServer } from 'node:http';

/** The ceiling: reads the body and answers 200. Nothing that runs on node:http on one core can be faster. */

createServer((request, response) => {
  request.resume();
  request.once('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
}).listen(Number(process.env['PORT']), '127.0.0.1');
