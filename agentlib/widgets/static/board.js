export default view((model) => {
  const { plan: list, counter: count, status: words } = model.get("state");
  return card("Todo list", { class: "al-board" }, plan(list), counter(count), status(words));
});
