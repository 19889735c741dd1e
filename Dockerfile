# svc-conform as an image: docker build -t svc-conform .
#
# NODE_IMAGE needs Node 22.22 or newer, npm and a shell, and is also the base of the result.
ARG NODE_IMAGE=node:24-slim

FROM ${NODE_IMAGE} AS packages
WORKDIR /build/svc-conform
# Where packages come from, if not from the public registry.
ARG npm_config_registry
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
# Packages that few commands need, such as testcontainers@12. Node finds them above the directory of svc-conform.
ARG PACKAGES=
RUN mkdir -p /optional/node_modules && \
  if [ -n "$PACKAGES" ]; then npm install --prefix /optional --ignore-scripts --no-audit --no-fund $PACKAGES; fi

FROM packages AS build
# The build needs no other development packages. Node finds these above the directory of svc-conform.
RUN tools=$(node -p \
  "['typescript', '@types/node'].map((name) => name + '@' + require('./package.json').devDependencies[name]).join(' ')") && \
  npm install --prefix /build --ignore-scripts --no-audit --no-fund $tools
COPY . .
RUN node scripts/build.ts --if-stale && mkdir work

FROM ${NODE_IMAGE}
WORKDIR /opt/svc-conform
COPY --from=packages /build/svc-conform/package.json ./
COPY --from=packages /build/svc-conform/node_modules node_modules
COPY --from=packages /optional/node_modules /opt/node_modules
COPY --from=build /build/svc-conform/LICENSE ./
COPY --from=build /build/svc-conform/specs/signing-vectors.json specs/
COPY --from=build /build/svc-conform/bin/svc-conform.js bin/
COPY --from=build /build/svc-conform/dist dist
# Where a config is mounted and a report is written.
COPY --from=build --chown=1000:1000 /build/svc-conform/work /work
WORKDIR /work
# A package that is missing needs another build.
ENV SVC_CONFORM_IMAGE=1
USER 1000:1000
ENTRYPOINT ["node", "/opt/svc-conform/bin/svc-conform.js"]
CMD ["--help"]
