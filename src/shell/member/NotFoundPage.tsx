export { NotFound as Page } from './embed/NotFound.tsx'
