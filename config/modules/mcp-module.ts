import { ContainerModule } from 'inversify';
import { lazyRoute } from '../../adapters/http/lazy-route.ts';
import { refuse } from '../../adapters/http/refuse.ts';
import { CallGateway } from '../../application/call/call-gateway.ts';
import { TOKENS as t } from '../tokens.ts';
import { VERSION } from '../build-version.ts';

/** The MCP front-end. It is loaded with the first request for it, its library with the first one that has a valid credential. */
export const mcpModule = new ContainerModule((options) => {
  options
    .bind(t.mcpRoute)
    .toDynamicValue((container) => {
      const settings = container.get(t.settings);
      const refused = refuse(container.get(t.log));
      const load = async () => {
        const { McpRoute } = await import('../../adapters/mcp/mcp-route.ts');
        return new McpRoute(
          {
            gateway: container.get(CallGateway),
            inputs: container.get(t.inputCheck),
            json: container.get(t.jsonReader),
            clientAddress: container.get(t.clientAddress),
            log: container.get(t.log),
            refuse: refused,
          },
          {
            baseUrl: settings.PUBLIC_URL,
            version: VERSION,
            maxBodyBytes: settings.MAX_BODY_BYTES,
            corsOrigins: settings.CORS_ORIGINS,
          },
        );
      };
      return lazyRoute({ method: 'POST', path: '/mcp' }, load, refused);
    })
    .inSingletonScope();
});
