// Steps of an example without loading the page anew: the same links and the same slider, only quicker.

const step = document.getElementById("step");
let wanted = 0;

/** Show what an address shows; a slower answer to an earlier wish is thrown away. */
async function show(address, keepsSlider) {
  const wish = ++wanted;
  try {
    const response = await fetch(address);
    if (wish !== wanted) return;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    put(page.getElementById("step"), keepsSlider);
    history.replaceState(null, "", address);
  } catch {
    location.assign(address);
  }
}

function put(fresh, keepsSlider) {
  const rel = document.activeElement.rel;
  const slider = document.getElementById("at");
  const [told, words] = [document.getElementById("told"), fresh.querySelector("#told")];
  // What is under a finger, has the focus or is spoken stays the same element.
  for (const label of step.querySelectorAll("label")) label.textContent = fresh.querySelector("label").textContent;
  if (!keepsSlider) slider.value = fresh.querySelector("#at").getAttribute("value");
  told.replaceChildren(...words.childNodes);
  step.querySelector("nav").replaceWith(fresh.querySelector("nav"));
  step.querySelector(".still").replaceWith(fresh.querySelector(".still"));
  if (rel) (step.querySelector(`a[rel=${rel}]`) ?? step.querySelector("nav a")).focus();
}

step.addEventListener("click", (event) => {
  const link = event.target.closest("nav a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  show(link.href, false);
});

const form = step.querySelector("form");
form.querySelector("button").hidden = true;
form.addEventListener("input", () => show(`${form.action}?step=${document.getElementById("at").value}`, true));
form.addEventListener("submit", (event) => event.preventDefault());
