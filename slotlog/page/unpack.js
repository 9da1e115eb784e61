/* The data of the page, as slotlog/page_data.h describes it. */
function unpack(data, packed) {
    if (!Array.isArray(packed))
        return packed;
    if (packed[0] === -1)
        return data.texts[packed[1]];
    if (packed[0] === 0)
        return packed.slice(1).map((entry) => unpack(data, entry));
    return Object.fromEntries(data.shapes[packed[0] - 1].map((name, i) => [name, unpack(data, packed[i + 1])]));
}

/* The number of logs, each of which is unpacked when it is asked for. */
function readData(text) {
    const data = JSON.parse(text);
    const packed = data.logs.slice(1);
    return {
        leftOut: data.left_out,
        trees: data.program.trees,
        code: data.program.code,
        names: packed.map((log) => unpack(data, log[1])),
        log: (i) => unpack(data, packed[i]),
    };
}
