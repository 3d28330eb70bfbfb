// Sharing an address: copied to the clipboard, or sent by the device's own sheet where the browser has one.

const sheet = document.getElementById("share"); // A page that is about nothing but its address has none.
const field = document.getElementById("share-address");
const said = document.getElementById("copied");
const send = document.getElementById("send");

/** Copy the address: the new way works over HTTPS only, the old one everywhere that a selected field can be copied. */
async function copy() {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.focus();
    field.select();
    try {
      return document.execCommand("copy");
    } catch {
      return false;
    }
  }
}

document.getElementById("copy").addEventListener("click", async () => {
  said.textContent = said.dataset[(await copy()) ? "copied" : "byHand"];
});

send.addEventListener("click", async () => {
  try {
    await navigator.share({ title: send.dataset.title, url: field.value });
    sheet?.hidePopover();
  } catch {
    // Whoever closes the device's sheet has chosen not to send.
  }
});

sheet?.addEventListener("toggle", (event) => {
  said.textContent = "";
  if (event.newState === "open") field.select();
});

send.hidden = !navigator.share;
send.parentElement.hidden = false;
