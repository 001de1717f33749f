/**
 * Joins class names. Components take `className` for position and size only, so no conflicting classes need
 * merging.
 */
export { clsx as cx } from 'clsx'
