/**
 * A bare HTTP server that sends the result of one hand-written statement and nothing else: the bench's
 * ceiling for the database. The driver has the product's settings. The environment gives it DATABASE_URL or
 * DATA_DIR, PORT, and the statements by path as JSON.
 */
import { createServer } from 'node:http'
import { openDatabase } from '../../packages/server/src/db/database.ts'

const { DATABASE_URL: url, DATA_DIR: dataDir = '', PORT, STATEMENTS = '{}' } = process.env
const statements = new Map(Object.entries(JSON.parse(STATEMENTS) as Record<string, string>))
const database = await openDatabase(url === undefined ? { dataDir } : { url })

const server = createServer((request, response) => {
  const sql = statements.get(request.url ?? '')
  if (sql === undefined) {
    response.writeHead(request.url === '/ready' ? 200 : 404).end()
    return
  }
  database.rows({ sql: `select (${sql})::text`, parameters: [] }).then(
    (rows) => {
      const body = String(rows[0]?.[0])
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      response.end(body)
    },
    (error: unknown) => {
      console.error(error)
      response.writeHead(500).end()
    },
  )
})
server.listen(Number(PORT), '127.0.0.1')
process.on('SIGTERM', () => {
  server.close(() => void database.close().then(() => process.exit(0)))
  server.closeAllConnections()
})
