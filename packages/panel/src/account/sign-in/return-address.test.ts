import { describe, expect, it } from 'vitest'
import { returnAddress } from './return-address.ts'

describe('returnAddress', () => {
  it.each([
    ['/app/news?page=2', '/app/news?page=2'],
    ['/app', '/app'],
    ['https://evil.example/app/', '/app'],
    ['//evil.example', '/app'],
    ['/application', '/app'],
    [undefined, '/app'],
  ])('returns for the requested address %s the return address %s', (requestedPath, target) => {
    expect(returnAddress(requestedPath)).toBe(target)
  })
})
