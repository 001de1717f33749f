import { describe, expect, it } from 'vitest'
import { redirectOf } from './guard.ts'

describe('redirectOf (requirements §2)', () => {
  it.each([
    ['/', '/app'],
    ['/app', null],
    ['/app/news/5', null],
    ['/user/login', null],
    ['/error', null],
    ['/nowhere', null],
  ])('redirects a user with a token from %s to %s', (path, target) => {
    expect(redirectOf(path, true)).toBe(target)
  })

  it.each([
    ['/user/login', null],
    ['/user/login/', null],
    ['/user/register', null],
    ['/user/forgot-password', null],
    ['/user/reset-password', null],
    ['/user/confirm-email', null],
    ['/certificate', null],
    ['/certificate/0123456789ABCDEF', null],
    ['/certificate/x/y', '/user/login'],
    ['/user', '/user/login'],
    ['/', '/user/login'],
    ['/app', '/user/login'],
    ['/app/settings/regions/new', '/user/login'],
    ['/error', '/user/login'],
    ['/unauthorized', '/user/login'],
    ['/user/login/x', '/user/login'],
    ['/nowhere', '/user/login'],
  ])('redirects a user without a token from %s to %s', (path, target) => {
    expect(redirectOf(path, false)).toBe(target)
  })
})
