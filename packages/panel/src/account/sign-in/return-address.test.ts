import { describe, expect, it } from 'vitest'
import { returnAddress } from './return-address.ts'

describe('the way back after signing in', () => {
  it.each([
    ['/app/news?page=2', '/app/news?page=2'],
    ['/app', '/app'],
    ['https://evil.example/app/', '/app'],
    ['//evil.example', '/app'],
    ['/application', '/app'],
    [undefined, '/app'],
  ])('%s → %s', (from, target) => {
    expect(returnAddress(from)).toBe(target)
  })
})
