export function App() {
  return <main>listd</main>
}
