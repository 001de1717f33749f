/** Joins class names; components take `className` for place and size only, so nothing has to be merged away. */
export { clsx as cx } from 'clsx'
