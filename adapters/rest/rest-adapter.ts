import type { H3 } from 'h3';
import { createHttpApp, type HttpSettings } from '../http/app.ts';
import type { PipelineDependencies } from '../http/pipeline.ts';
import { routeTable, type RestService } from './route-table.ts';
import type { RestUseCases } from './use-cases.ts';

export interface RestDependencies extends PipelineDependencies {
  readonly useCases: RestUseCases;
}

export type RestSettings = HttpSettings & RestService;

/** The REST front-end: the route table on the HTTP base. */
export const createRestApp = (dependencies: RestDependencies, settings: RestSettings): H3 =>
  createHttpApp(routeTable(dependencies.useCases, settings), dependencies, settings);
