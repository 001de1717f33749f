import { describe, expect, it } from 'vitest'
import { allowHtml, allowProgram } from './trusted-types.ts'

describe('allowHtml', () => {
  it.each([
    ['in the page', '<img src=x onerror=alert(1)>', 'Element innerHTML', null],
    ['in the page, however plain', '<b>news</b>', 'Element innerHTML', null],
    ['behind an element', '<b>news</b>', 'Element insertAdjacentHTML', null],
    ['in a frame', '<p>', 'HTMLIFrameElement srcdoc', null],
    ['that tests whether the browser knows SVG', '<svg/>', 'Element innerHTML', '<svg/>'],
    ['in a document without a window', '<b>pasted</b>', 'DOMParser parseFromString', '<b>pasted</b>'],
    ['when the editor asks for what was pasted', '<b>pasted</b>', undefined, '<b>pasted</b>'],
  ])('allows or refuses an HTML text %s', (_place, html, sink, allowedHtml) => {
    expect(allowHtml(html, sink)).toBe(allowedHtml)
  })
})

describe('allowProgram', () => {
  it.each([
    ['/service-worker.js', '/service-worker.js'],
    ['https://elsewhere.example/service-worker.js', null],
    ['/uploads/service-worker.js', null],
    ['/service-worker.js?next', null],
  ])('allows or refuses the script address %s', (address, allowedAddress) => {
    expect(allowProgram(address)).toBe(allowedAddress)
  })
})
