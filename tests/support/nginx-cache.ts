import { spawn } from 'node:child_process'
import { accessSync, constants, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { freePort } from './free-port.ts'
import { hitHeader, type SharedCache } from './shared-cache.ts'

/** Returns the path of nginx, or null where it is not installed (Debian: nginx-light). */
export function findNginx(): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  const isExecutable = (path: string) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  }
  return folders.map((folder) => join(folder, 'nginx')).find(isExecutable) ?? null
}

/**
 * Starts nginx as a shared cache in front of the app. It follows Cache-Control and Vary, and stores what RFC 9111
 * permits: also responses without Cache-Control, and those with Set-Cookie, which nginx alone would not store.
 */
export async function startNginxCache(nginx: string, originPort: number): Promise<SharedCache> {
  const folder = mkdtempSync(join(tmpdir(), 'dineback-nginx-'))
  mkdirSync(join(folder, 'cache'))
  const port = await freePort()
  writeFileSync(join(folder, 'nginx.conf'), configOf({ folder, port, originPort }))
  const child = spawn(nginx, ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk
  })
  const ended = new Promise<void>((done) => child.once('close', () => done()))
  const endWithTests = () => child.kill('SIGKILL')
  process.once('exit', endWithTests)
  await new Promise<void>((done, fail) => {
    void ended.then(() => fail(new Error(`nginx ended before it was ready:\n${output}`)))
    const knock = () => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy()
        done()
      })
      socket.once('error', () => child.exitCode === null && setTimeout(knock, 20))
    }
    knock()
  })
  return {
    port,
    async stop() {
      process.off('exit', endWithTests)
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const configOf = ({ folder, port, originPort }: { folder: string; port: number; originPort: number }) => `
daemon off;
master_process off;
pid ${folder}/pid;
error_log stderr error;
events { worker_connections 512; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  proxy_cache_path ${folder}/cache levels=1:2 keys_zone=shared:20m inactive=60m use_temp_path=off;
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://127.0.0.1:${originPort};
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Round "";
      proxy_cache shared;
      proxy_cache_key "$http_x_round $http_host$request_uri";
      # RFC 9110, 15.1: statuses that a cache may store without being told for how long.
      proxy_cache_valid 200 203 204 206 300 301 308 404 405 410 414 501 60m;
      # RFC 9111 does not exclude responses that set a cookie.
      proxy_ignore_headers Set-Cookie;
      add_header ${hitHeader} $upstream_cache_status always;
    }
  }
}
`
