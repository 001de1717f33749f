declare module 'virtual:catalogue/*' {
  import type { Messages } from '@lingui/core'
  export const messages: Messages
}

declare module '*.css?url' {
  const address: string
  export default address
}

declare module 'virtual:help/*' {
  const texts: Readonly<Record<string, string>>
  export default texts
}
