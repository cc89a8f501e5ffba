# The service in an image: docker build -t notary .
# It runs as a user without rights, and writes nothing but /var/lib/notary: start it with a read-only root,
#
#   docker run --read-only --tmpfs /tmp -v notary:/var/lib/notary -p 127.0.0.1:3000:3000 notary

FROM node:22-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
# What only the development needs builds, and stays in this stage.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build && npm rebuild --no-audit --no-fund

FROM node:22-bookworm-slim AS production
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && npm rebuild --no-audit --no-fund \
  && npm cache clean --force
COPY --from=build /src/dist ./dist
COPY README.md LICENSE CHANGELOG.md ./

FROM node:22-bookworm-slim
ENV NODE_ENV=production \
  HOST=0.0.0.0 \
  PORT=3000 \
  DATA_DIR=/var/lib/notary/data \
  KEYS_DIR=/var/lib/notary/keys \
  ANCHOR_PATH=/var/lib/notary/anchors
RUN install -d -o node -g node -m 0700 /var/lib/notary \
  && ln -s /app/dist/config/main.js /usr/local/bin/notary
COPY --from=production --chown=root:root /app /app
WORKDIR /var/lib/notary
USER node
VOLUME /var/lib/notary
EXPOSE 3000 50051
# Within 25 s of SIGTERM it ends by itself.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["notary"]
CMD ["serve"]
