# One build, several targets: `docker build --target api|worker|relay .`; without a target the process is the first
# argument of `docker run` (see ops/docker/entrypoint.sh). The sources run as they are: a bundle starts 0.2 s sooner
# (293 against 530 ms, decisions/0015), and stack traces would name no file.
ARG BUN_IMAGE=oven/bun:1.4.4-slim

FROM ${BUN_IMAGE} AS dependencies
WORKDIR /app
COPY package.json bun.lock bunfig.toml ./
COPY .config/package.json .config/
COPY patches patches
# Only for networks with a registry of their own.
ARG NPM_CONFIG_REGISTRY
# typescript and bun-types are peers of types only: 34 MB that nothing loads.
RUN bun install --frozen-lockfile --production --filter ./ --ignore-scripts --no-progress \
  && rm -rf node_modules/typescript node_modules/bun-types node_modules/.bin

FROM ${BUN_IMAGE} AS launchwire
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0
# Memory is returned once a second instead of ten times (decisions/0043).
ENV MIMALLOC_PURGE_DELAY=1000 MIMALLOC_PURGE_HOLES_MIN_INTERVAL=1000
COPY --from=dependencies /app/node_modules node_modules
COPY package.json tsconfig.json ./
COPY drizzle drizzle
COPY src src
# Of the npm package, the parser and tables that the admin program shares.
COPY packages/client/src/cli/kit packages/client/src/cli/kit
COPY docs/guides docs/guides
COPY relay relay
COPY ops/docker/entrypoint.sh ops/docker/healthcheck.ts ops/docker/
# Nothing in the image is writable for the user that runs it.
USER bun
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 CMD ["bun", "ops/docker/healthcheck.ts"]
ENTRYPOINT ["ops/docker/entrypoint.sh"]

FROM launchwire AS api
EXPOSE 3000
CMD ["api"]

FROM launchwire AS worker
ENV METRICS_PORT=9464
EXPOSE 9464
CMD ["worker"]

FROM launchwire AS relay
ENV METRICS_PORT=9464
EXPOSE 9464
CMD ["relay"]

FROM launchwire
CMD ["api"]
