import { Type } from 'typebox';
import { page, type Page } from '../page.ts';

/** A contract that the service speaks, and its versions, newest first. */
export interface Contract {
  readonly name: string;
  readonly versions: readonly string[];
}

const PATHS = [
  ['/v1/conformance', 'getConformance'],
  ['/conformance', 'getConformanceAtRoot'],
] as const;

/** Which contracts are spoken here, in which versions, under both of its names. */
export const conformancePages = (
  contracts: () => Promise<readonly Contract[]>,
  release: string,
): readonly Page[] =>
  PATHS.map(([path, operationId]) =>
    page({
      path,
      operationId,
      summary: 'The versions of every contract that the service speaks',
      tag: 'Discovery',
      access: { scope: null },
      answers: {
        200: {
          description: 'By contract, newest first',
          schema: Type.Object({
            release: Type.String(),
            contracts: Type.Array(
              Type.Object({ name: Type.String(), versions: Type.Array(Type.String()) }),
            ),
          }),
          example: {
            release: '0.1.0',
            contracts: [{ name: 'a2a', versions: ['1.0', '0.3'] }],
          },
        },
      },
      render: async () => ({ status: 200, body: { release, contracts: await contracts() } }),
    }),
  );
