import { toBinary, type DescFile, type DescService } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import {
  status,
  type Server,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import { HealthImplementation } from 'grpc-health-check';
import type { Served } from './grpc-server.ts';

/** Milliseconds between two health checks. */
const LOOK_EVERY_MS = 2_000;

/** Health of the server and of each service (grpc.health.v1). It follows /readyz and ends as NOT_SERVING. */
export class Health {
  private readonly names: readonly string[];
  private readonly health: HealthImplementation;
  private isServing = true;
  private timer: NodeJS.Timeout | null = null;

  constructor(
    services: readonly DescService[],
    private readonly isReady: () => Promise<boolean>,
  ) {
    this.names = ['', ...services.map(({ typeName }) => typeName)];
    this.health = new HealthImplementation(
      Object.fromEntries(this.names.map((name) => [name, 'SERVING'])),
    );
    this.lookLater();
  }

  get served(): readonly Served[] {
    return servedBy((server) => this.health.addToServer(server));
  }

  /** Balancers send nothing more here. */
  stop(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.tell(false);
  }

  private lookLater(): void {
    this.timer = setTimeout(() => void this.look(), LOOK_EVERY_MS).unref();
  }

  private async look(): Promise<void> {
    const isReady = await this.isReady().catch(() => false);
    if (!this.timer) return;
    this.tell(isReady);
    this.lookLater();
  }

  /** Sets the status only if it changed, so that watchers get no repeated message. */
  private tell(isServing: boolean): void {
    if (isServing === this.isServing) return;
    this.isServing = isServing;
    for (const name of this.names)
      this.health.setStatus(name, isServing ? 'SERVING' : 'NOT_SERVING');
  }
}

/** Which services and messages there are (grpc.reflection.v1 and v1alpha). */
export const reflectionOf = (services: readonly DescService[]): readonly Served[] => {
  const files = [...filesOf(services.map(({ file }) => file))];
  const fileDescriptorProtos = files.map(({ proto }) =>
    Buffer.from(toBinary(FileDescriptorProtoSchema, proto)),
  );
  // The library reads these bytes of a package, and nothing else.
  const described = { all: { fileDescriptorProtos } } as unknown as ConstructorParameters<
    typeof ReflectionService
  >[0];
  const reflection = new ReflectionService(described, {
    services: services.map(({ typeName }) => typeName),
  });
  return servedBy((server) => reflection.addToServer(server));
};

/** These files and all that they import, each behind what it imports. */
const filesOf = (
  files: readonly DescFile[],
  found = new Set<DescFile>(),
): ReadonlySet<DescFile> => {
  for (const file of files) {
    filesOf(file.dependencies, found);
    found.add(file);
  }
  return found;
};

/** What a library would add to a server, so that what it cannot read is refused and not called an internal error. */
const servedBy = (add: (server: Server) => void): readonly Served[] => {
  const served: Served[] = [];
  const addService = (
    definition: ServiceDefinition,
    handlers: UntypedServiceImplementation,
  ): void => void served.push(tolerant(definition, handlers));
  add({ addService } as unknown as Server);
  return served;
};

const UNREADABLE = Symbol('unreadable');
const refusal = {
  code: status.INVALID_ARGUMENT,
  details: 'The message cannot be read: it breaks the wire format of protobuf.',
};

type Handler = (call: Incoming, callback?: (error: object) => void) => void;
interface Incoming {
  readonly request?: unknown;
  emit(name: string, value: unknown): boolean;
}

const tolerant = (
  definition: ServiceDefinition,
  handlers: UntypedServiceImplementation,
): Served => ({
  definition: Object.fromEntries(
    Object.entries(definition).map(([name, method]) => [
      name,
      {
        ...method,
        requestDeserialize: (bytes: Buffer): unknown => {
          try {
            return method.requestDeserialize(bytes);
          } catch {
            return UNREADABLE;
          }
        },
      },
    ]),
  ),
  handlers: Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [
      name,
      ((call, callback) => {
        if (call.request !== UNREADABLE)
          return void (handler as Handler)(withoutUnreadable(call), callback);
        if (callback) callback(refusal);
        else call.emit('error', refusal);
      }) as Handler as UntypedServiceImplementation[string],
    ]),
  ),
});

/** Of a stream each message comes by itself. */
const withoutUnreadable = (call: Incoming): Incoming => {
  const emit = call.emit.bind(call);
  call.emit = (name, value) =>
    name === 'data' && value === UNREADABLE ? emit('error', refusal) : emit(name, value);
  return call;
};
