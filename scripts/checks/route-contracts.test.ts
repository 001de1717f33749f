import { describe, expect, it } from 'vitest'
import { isFeatureFile, registrationsIn } from './route-contracts.ts'

describe('registrationsIn', () => {
  it.each([
    ["app.get('/api/x', handler)", [1]],
    ['scope.post(`${base}/x`, handler)', [1]],
    ['map.get(`${resource}/${id}`)', []],
    ['scope.post(`/api/${wire}/x`, handler)', [1]],
    ["const a = 1\napp.put<Body>(\n  '/api/x',\n  handler,\n)", [2]],
    ['app.route({ method, url, handler })', [1]],
    ["addRoutes(app, load, { 'GET /api/x': handler })", []],
    ["map.get('name')", []],
    ["app.addHook('onClose', stop)", []],
  ])('finds in %s registrations of routes on the lines %j', (source, lines) => {
    expect(registrationsIn(source)).toEqual(lines)
  })
})

describe('isFeatureFile', () => {
  it.each([
    ['packages/server/src/features/home/routes.ts', true],
    ['packages/server/src/domain/delivery/sockets.ts', true],
    ['packages/server/src/features/home/home.test.ts', false],
    ['packages/server/src/http/contract-routes.ts', false],
    ['packages/server/src/resources/routes.ts', false],
  ])('decides whether %s is a file of a feature: %s', (file, isRead) => {
    expect(isFeatureFile(file)).toBe(isRead)
  })
})
