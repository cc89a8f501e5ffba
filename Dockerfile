# The service in an image: docker build -t notary --build-arg NOTARY_COMMIT="$(git rev-parse HEAD)" .
# It runs as a user without rights and writes its two volumes alone, so its root may be read-only. The guide "Install"
# has the command, and docker-compose.yml the whole of it.

FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
# With what only the development needs, which stays in this stage.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# The folder .git is not in the context, so the build is told its commit.
ARG NOTARY_COMMIT=
RUN npm run build

FROM node:24-bookworm-slim AS production
WORKDIR /app
COPY package.json package-lock.json ./
# No script of a package runs: what has to be compiled, such as the library of HSMs, is left out.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY --from=build /src/dist ./dist
COPY README.md LICENSE CHANGELOG.md ./

FROM node:24-bookworm-slim
ENV NODE_ENV=production
ENV HOST=0.0.0.0
ENV DATA_DIR=/var/lib/notary
ENV ANCHOR_PATH=/var/lib/notary-anchors
RUN install -d -o node -g node -m 0700 /var/lib/notary /var/lib/notary-anchors \
  && ln -s /app/dist/config/main.js /usr/local/bin/notary
COPY --from=production /app /app
WORKDIR /app
USER node
VOLUME /var/lib/notary /var/lib/notary-anchors
EXPOSE 3000 50051
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["notary"]
CMD ["serve"]
