declare module 'virtual:catalogue/*' {
  import type { Messages } from '@lingui/core'
  export const messages: Messages
}

declare module '*.css?url' {
  const address: string
  export default address
}
