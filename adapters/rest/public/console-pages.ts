import { Type } from 'typebox';
import { notFound } from '../../../domain/kernel/errors.ts';
import type { Answer } from '../../http/http-exchange.ts';
import { page, type Page } from '../page.ts';
import { ServedFiles, type BuiltFiles } from './built-files.ts';
import { withConsolePolicy } from './page-policy.ts';

/**
 * The console: a page without data. What it shows it asks for by the interface, with the key of its reader.
 *
 * @param attacks the service is that of a demo, whose database may be attacked from the console.
 */
export const consolePages = (files: BuiltFiles, attacks: boolean): readonly Page[] => {
  const documents = new ServedFiles(files, (bytes, file) =>
    attacks && file === 'console.html' ? withAttacks(bytes) : bytes,
  );
  const answer = async (
    { file, mediaType }: ConsoleFile,
    acceptEncoding: string | undefined,
  ): Promise<Answer> => {
    const document = await documents.answer(file, mediaType, acceptEncoding);
    if (!document) throw notFound('document');
    return withConsolePolicy(document);
  };
  return FILES.map((one) =>
    page({
      path: one.path,
      operationId: one.operationId,
      summary: one.summary,
      tag: 'Documentation',
      produces: [one.mediaType],
      answers: {
        200: {
          description: 'The file',
          schema: Type.String(),
          example: EXAMPLES[one.mediaType],
          headers: { ETag: 'Strong; send it as If-None-Match' },
        },
      },
      problems: ['NOT_FOUND'],
      render: ({ acceptEncoding }) => answer(one, acceptEncoding),
    }),
  );
};

const withAttacks = (page: Uint8Array): Uint8Array =>
  Buffer.from(Buffer.from(page).toString().replace('<html ', '<html data-attacks '));

const EXAMPLES = {
  'text/html': '<!doctype html><title>Console</title>',
  'text/css': 'body { margin: 0 auto }',
  'text/javascript': 'export {};',
} as const;

interface ConsoleFile {
  readonly path: string;
  readonly file: string;
  readonly operationId: string;
  readonly summary: string;
  readonly mediaType: keyof typeof EXAMPLES;
}

const FILES: readonly ConsoleFile[] = [
  {
    path: '/console',
    file: 'console.html',
    operationId: 'getConsole',
    summary: 'The console, a page that shows what a key may read',
    mediaType: 'text/html',
  },
  {
    path: '/console/console.css',
    file: 'console.css',
    operationId: 'getConsoleStyle',
    summary: 'How the console looks',
    mediaType: 'text/css',
  },
  {
    path: '/console/console.js',
    file: 'console.js',
    operationId: 'getConsoleScript',
    summary: 'The script of the console',
    mediaType: 'text/javascript',
  },
  {
    path: '/console/verifier.js',
    file: 'console-verifier.js',
    operationId: 'getConsoleVerifier',
    summary: 'The verifier of the console, loaded with the first record',
    mediaType: 'text/javascript',
  },
  {
    path: '/console/plots.js',
    file: 'console-plots.js',
    operationId: 'getConsolePlots',
    summary: 'The plots of the console, loaded with the first agent',
    mediaType: 'text/javascript',
  },
];
